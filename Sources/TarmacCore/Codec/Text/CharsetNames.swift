/// The names under which IANA registers the encodings of the WHATWG Encoding Standard, as Core Foundation looks them up (pure).
enum CharsetNames {
    /// - Parameter name: the encoding's name in the Standard, which calls some of them by the name of a subset.
    static func iana(_ name: String) -> String { supersets[name] ?? name }

    private static let supersets = [
        "big5": "big5-hkscs", "shift_jis": "windows-31j", "euc-kr": "windows-949",
    ]
}
