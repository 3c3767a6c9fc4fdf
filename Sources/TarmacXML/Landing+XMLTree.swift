public import TarmacCore
import TarmacFormats

extension Landing where Value == XMLTree {
    /// The body as a tree of elements. It has to be ``AcceptableContentTypes/xml`` unless
    /// ``Options/acceptableContentTypes`` says otherwise; its charset is the one ``Payload/xmlText`` finds.
    public static var xmlTree: Self { xmlTree(XMLLimits()) }

    /// The same with other limits.
    public static func xmlTree(_ limits: XMLLimits) -> Self {
        Landing(accepting: .xml) { payload in
            do { return try XMLTree(parsing: payload.xmlText, limits: limits) } catch let fault as XMLFault {
                throw TarmacError(
                    .decodingFailed, phase: .decoding, "no tree could be made of the answer: \(fault)",
                    suggestion: "look at the body in error.response", cause: fault)
            }
        }
    }
}

extension Endpoint where Value == XMLTree {
    public var landing: Landing<XMLTree> { .xmlTree }
}
