module example.test/shop

go 1.21

require example.test/single v1.0.0

require (
	example.test/direct v1.2.0
	example.test/pseudo v0.0.0-20240101000000-aaaaaaaaaaaa
	example.test/was-indirect v1.0.0 // indirect
	example.test/deep v0.1.0 // indirect
	example.test/gone v1.0.0 // why
)

exclude example.test/direct v1.1.0

retract (
	v0.9.0 // broken
)
