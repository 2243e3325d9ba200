defmodule Shop.MixProject do
  use Mix.Project

  @phoenix_version "~> 1.7.0"

  def project do
    [
      app: :shop,
      version: "0.1.0",
      elixir: "~> 1.15",
      deps: deps()
    ]
  end

  def application do
    [mod: {Shop.Application, []}, extra_applications: [:logger]]
  end

  # {:never, "~> 1.0"}
  defp deps do
    [
      {:phoenix, @phoenix_version},
      {:ecto_sql, "~> 3.10"},
      {:jason, ">= 1.0.0 and < 2.0.0"},
      {:credo, "~> 1.7", only: [:dev, :test], runtime: false},
      {:billing, github: "example/billing", tag: "v1.0"},
      {:core, in_umbrella: true},
      {:own, path: "../own"},
      {:swoosh,
       "~> 1.5"}
    ]
  end
end
