public import TarmacCore

extension Landing where Value == String {
    /// XML as text, for your own parser. `TarmacXML` has a parser. The content type of the response must be one of
    /// ``AcceptableContentTypes/xml`` unless ``Options/acceptableContentTypes`` names others.
    ///
    /// ```swift
    /// var landing: Landing<String> { .xml }
    /// ```
    public static var xml: Self { Landing(accepting: .xml) { try $0.xmlText } }
}

extension Payload {
    /// The body as XML text. The charset comes from the byte order mark, the Content-Type or the XML declaration, in this
    /// order (RFC 7303 §3). Default: UTF-8.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` if a byte is invalid in the charset, or the charset is unknown.
    package var xmlText: String {
        get throws(TarmacError) {
            let bytes = try response.readableBody
            return try TextDecoder.decode(bytes, charset: response.mediaType?.charset ?? bytes.withUnsafeBytes { XMLDeclaration.encoding(in: $0) })
        }
    }
}
