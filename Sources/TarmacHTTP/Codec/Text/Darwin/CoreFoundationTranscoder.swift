#if canImport(Darwin)
internal import CoreFoundation
internal import Foundation

/// Converts text with the encodings of Core Foundation.
enum PlatformTranscoder {
    /// - Parameter name: the encoding's name in the WHATWG Encoding Standard.
    static func utf8(_ text: UnsafeRawBufferPointer, from name: String) -> Transcoded {
        let encoding = CFStringConvertIANACharSetNameToEncoding(coreText(CharsetNames.iana(name)))
        guard encoding != kCFStringEncodingInvalidId else { return .unavailable }
        let native = String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding))
        // Core Foundation does not report where the text is invalid.
        guard let string = String(data: Data(text), encoding: native) else { return .invalid(offset: nil) }
        return .utf8(Bytes(string))
    }
}
#endif
