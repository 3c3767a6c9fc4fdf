#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension BodyDecoder {
    /// Property lists, XML or binary, by Foundation's decoder (YTK-8). The answer has to be of one of the types of
    /// ``AcceptableContentTypes/propertyList`` unless ``Options/acceptableContentTypes`` says otherwise; a JSON envelope and
    /// a shape are skipped.
    ///
    /// ```swift
    /// func configure(_ options: inout Options) { options.decoder = .propertyList() }
    /// ```
    /// - Parameter decoder: must not be changed afterwards.
    public static func propertyList(_ decoder: PropertyListDecoder = PropertyListDecoder()) -> BodyDecoder {
        BodyDecoder(name: "PropertyListDecoder", accepts: .propertyList) { type, payload in try decoder.decode(type, from: payload.bytes.data) }
    }
}
