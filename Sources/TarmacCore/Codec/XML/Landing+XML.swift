extension Landing where Value == String {
    /// XML as text, for a parser of one's own; `TarmacXML` has one. The answer has to be ``AcceptableContentTypes/xml``
    /// unless ``Options/acceptableContentTypes`` says otherwise.
    ///
    /// ```swift
    /// var landing: Landing<String> { .xml }
    /// ```
    public static var xml: Self { Landing(accepting: .xml) { try $0.xmlText } }
}

extension Payload {
    /// The body as text in the charset that a byte order mark, the server or the XML declaration names, in this order
    /// (RFC 7303 §3); UTF-8 when none does.
    public var xmlText: String {
        get throws(TarmacError) {
            let bytes = try response.readableBody
            return try TextDecoder.decode(bytes, charset: response.mediaType?.charset ?? bytes.withUnsafeBytes { XMLDeclaration.encoding(in: $0) })
        }
    }
}
