module example.test/shop

go 1.22.0

toolchain go1.22.4

require example.test/single v1.0.0

require (
	example.test/direct v1.1.9
	example.test/pseudo v0.0.0-20240601000000-bbbbbbbbbbbb
	example.test/was-indirect v1.0.0
	example.test/deep v0.2.0 // indirect
)

replace example.test/single => ../single

retract (
	v0.9.0 // broken
)
