// expected on ios, macos, tvos, watchos, visionos: 'init(validating:as:)' is only available in
func text(_ bytes: some Sequence<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }
