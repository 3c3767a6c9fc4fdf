#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

extension BodyDecoder {
    /// Decodes property lists, XML or binary, with Foundation's decoder. The content type of the response must be one of
    /// ``AcceptableContentTypes/propertyList`` unless ``Options/acceptableContentTypes`` names others. A JSON envelope and a
    /// shape are not checked.
    ///
    /// A response that could end the process or exhaust its memory fails with `TarmacError(.decodingFailed)` before Foundation
    /// reads it. Such a list is nested more than 128 levels deep, contains itself, grows beyond 8 MB and a hundred times its
    /// size through repeated references, or declares types or entities.
    ///
    /// ```swift
    /// func configure(_ options: inout Options) { options.decoder = .propertyList() }
    /// ```
    /// - Parameter decoder: the decoder to use. Do not change it afterwards.
    public static func propertyList(_ decoder: PropertyListDecoder = PropertyListDecoder()) -> BodyDecoder {
        BodyDecoder(name: "PropertyListDecoder", accepts: .propertyList) { type, payload in
            try decoder.decode(type, from: try PropertyListCheck.data(payload.bytes) { () throws(TarmacError) in try payload.xmlText })
        }
    }
}
