/// The IANA names of the encodings of the WHATWG Encoding Standard. Core Foundation looks encodings up by these
/// names.
enum CharsetNames {
    /// Returns the IANA name of an encoding.
    ///
    /// - Parameter name: the name in the Standard, which for some encodings is the name of a subset.
    static func iana(_ name: String) -> String { supersets[name] ?? name }

    private static let supersets = [
        "big5": "big5-hkscs", "shift_jis": "windows-31j", "euc-kr": "windows-949",
    ]
}
