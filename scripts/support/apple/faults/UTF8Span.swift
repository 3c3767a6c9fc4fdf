// expected on ios, macos, tvos, watchos, visionos: 'span' is only available in
func count(_ text: String) -> Int { text.utf8.span.count }
