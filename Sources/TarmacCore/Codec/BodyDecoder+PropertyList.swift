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
    /// An answer that could end the process or fill its memory fails with `TarmacError(.decodingFailed)` before Foundation
    /// sees it: nested more than 128 levels deep, in itself, coming to more than a hundred times its size by objects that
    /// are used many times (beyond 8 MB), or with declarations of types or entities.
    ///
    /// ```swift
    /// func configure(_ options: inout Options) { options.decoder = .propertyList() }
    /// ```
    /// - Parameter decoder: must not be changed afterwards.
    public static func propertyList(_ decoder: PropertyListDecoder = PropertyListDecoder()) -> BodyDecoder {
        BodyDecoder(name: "PropertyListDecoder", accepts: .propertyList) { type, payload in
            try decoder.decode(type, from: try PropertyListCheck.data(payload.bytes) { () throws(TarmacError) in try payload.xmlText })
        }
    }
}
