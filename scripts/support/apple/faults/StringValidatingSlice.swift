// expected on ios, macos, tvos, watchos, visionos: 'init(validating:as:)' is only available in
func isText(_ bytes: ArraySlice<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
