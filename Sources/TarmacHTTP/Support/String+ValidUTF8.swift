extension String {
    /// The text of `bytes`, or `nil` if they are not valid UTF-8.
    ///
    /// `String(validating:as:)` of the standard library does the same, from iOS 18 and macOS 15 on.
    package init?(validUTF8 bytes: UnsafeRawBufferPointer) {
        // A repaired text differs from its bytes: each repair writes U+FFFD, and a U+FFFD that was sent stays as it is.
        var text = String(decoding: bytes, as: UTF8.self)
        guard text.withUTF8({ $0.count == bytes.count && $0.elementsEqual(bytes) }) else { return nil }
        self = text
    }
}
