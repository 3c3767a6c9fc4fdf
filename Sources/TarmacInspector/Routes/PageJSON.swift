#if Inspector
import TarmacJSON

/// JSON for the page.
enum PageJSON {
    /// No value of the page fails to encode.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return (try? encoder.encodeBytes(value)) ?? Array("null".utf8)
    }
}
#endif
