// expected on ios, macos, tvos, watchos, visionos: 'Int128' is only available in
func wide() -> Bool { Int128(1) > 0 }
