public import TarmacJSON

extension Redactor {
    /// The options for parsing bodies, so that no error about a body quotes a secret.
    var documentOptions: JSONDocument.Options {
        JSONDocument.Options(maskedKeys: JSONDocument.Options.defaultMaskedKeys.union(parameters))
    }

    /// The document options of ``standard``, made once.
    package static let standardDocumentOptions = Redactor.standard.documentOptions

    /// Returns a JSON text with its secret members masked, or `nil` if the text is not JSON.
    public func json(_ bytes: Bytes) -> String? {
        (try? JSONDocument(bytes)).map(json)
    }

    /// Returns the text of a parsed document with its secret members masked.
    public func json(_ document: JSONDocument) -> String {
        document.root.text(substituting: { isSecret($0) ? Self.mask : nil })
    }
}
