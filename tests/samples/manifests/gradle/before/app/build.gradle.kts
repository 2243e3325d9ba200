plugins {
    kotlin("jvm") version "1.9.0"
    id("test.example.boot") version "3.2.0"
    `java-library`
}

val ktorVersion: String by project
val coroutines = "1.7.0"
val serial by extra("1.5.0")
extra["cloud"] = "2022.0.4"

dependencies {
    implementation(kotlin("stdlib", "1.9.0"))
    implementation("test.example:ktor:$ktorVersion")
    implementation("test.example:coroutines:$coroutines")
    implementation("test.example:serial:$serial")
    implementation(platform("test.example:cloud:${property("cloud")}"))
    implementation(platform("test.example:cloud2:${extra["cloud"]}"))
    testImplementation(
        group = "test.example",
        name = "unit",
        version = "5.9.0",
    )
    constraints {
        implementation("test.example:deep:1.0") {
            because("x:y:z is broken")
        }
    }
}
