pluginManagement {
    plugins {
        id("test.example.settings") version "1.1"
    }
}
dependencyResolutionManagement {
    versionCatalogs {
        create("libs") {
            version("kotlin", "1.9.20")
            library("core", "test.example:core:1.1")
            library("std", "test.example", "std").versionRef("kotlin")
            library("other", "test.example", "other").version("3.1")
        }
    }
}
include(":core", ":app")
