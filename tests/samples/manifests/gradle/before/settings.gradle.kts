pluginManagement {
    plugins {
        id("test.example.settings") version "1.0"
    }
}
dependencyResolutionManagement {
    versionCatalogs {
        create("libs") {
            version("kotlin", "1.9.0")
            library("core", "test.example:core:1.0")
            library("std", "test.example", "std").versionRef("kotlin")
            library("other", "test.example", "other").version("3.0")
        }
    }
}
include(":core", ":app")
