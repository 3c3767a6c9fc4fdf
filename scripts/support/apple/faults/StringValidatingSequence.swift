// expected on ios, macos, tvos, watchos, visionos: 'init(validating:as:)' is only available in
func text(_ bytes: [UInt8]) -> String? { String(validating: bytes.lazy.map { $0 }, as: Unicode.UTF8.self) }
