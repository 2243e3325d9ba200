Gem::Specification.new do |spec|
  spec.name = "own"
  spec.version = "0.2.0"
  spec.required_ruby_version = ">= 3.0"
  spec.add_dependency "money", "~> 6.1"
  spec.add_runtime_dependency(%q<racc>.freeze, ["~> 1.5"])
end
