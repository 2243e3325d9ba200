Gem::Specification.new do |spec|
  spec.name = "own"
  spec.version = "0.1.0"
  spec.required_ruby_version = ">= 3.0"
  spec.add_dependency "money", "~> 6.0"
  spec.add_runtime_dependency(%q<racc>.freeze, ["~> 1.4"])
  spec.add_development_dependency "rspec"
end
