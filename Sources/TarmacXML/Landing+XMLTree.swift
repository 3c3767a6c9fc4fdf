public import TarmacCore
import TarmacFormats

extension Landing where Value == XMLTree {
    /// Decodes the body as a tree of elements.
    ///
    /// Its content type must be one of ``AcceptableContentTypes/xml`` unless ``Options/acceptableContentTypes`` says
    /// otherwise. The byte order mark, the Content-Type or the XML declaration determines the charset.
    public static var xmlTree: Self { xmlTree(XMLLimits()) }

    /// Returns a landing that decodes the body as a tree of elements, with other limits.
    public static func xmlTree(_ limits: XMLLimits) -> Self {
        Landing(accepting: .xml) { payload in
            if let fault = limits.fault { throw TarmacError(.invalidOption, phase: .decoding, "the limits of the tree: \(fault)") }
            do { return try XMLTree(parsing: payload.xmlText, limits: limits) } catch let fault as XMLFault {
                throw TarmacError(
                    .decodingFailed, phase: .decoding, "the response cannot be decoded as XMLTree: \(fault)",
                    suggestion: "look at the body in error.response", cause: fault)
            }
        }
    }
}

extension Endpoint where Value == XMLTree {
    public var landing: Landing<XMLTree> { .xmlTree }
}
