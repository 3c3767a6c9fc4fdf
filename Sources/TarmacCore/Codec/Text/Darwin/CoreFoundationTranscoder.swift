#if canImport(Darwin)
internal import CoreFoundation
internal import Foundation

/// Core Foundation's encodings.
enum PlatformTranscoder {
    /// - Parameter name: the encoding's name in the WHATWG Encoding Standard.
    static func utf8(_ text: UnsafeRawBufferPointer, from name: String) -> Transcoded {
        let encoding = CFStringConvertIANACharSetNameToEncoding(coreText(supersets[name] ?? name))
        guard encoding != kCFStringEncodingInvalidId else { return .unavailable }
        let native = String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding))
        // Core Foundation does not tell where the text stops being valid.
        guard let string = String(data: Data(text), encoding: native) else { return .invalid(offset: nil) }
        return .utf8(Bytes(string))
    }

    /// What IANA calls the superset that the Standard means.
    private static let supersets = [
        "big5": "big5-hkscs", "shift_jis": "windows-31j", "euc-kr": "windows-949",
    ]
}
#endif
