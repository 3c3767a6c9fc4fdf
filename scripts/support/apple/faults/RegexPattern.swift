// expected on ios, macos, tvos, watchos, visionos: '_literalPattern' is only available in
func pattern(_ regex: Regex<Substring>) -> String? { regex._literalPattern }
