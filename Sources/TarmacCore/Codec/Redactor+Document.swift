public import TarmacJSON

extension Redactor {
    /// How bodies are read so that no error about them quotes a secret.
    var documentOptions: JSONDocument.Options {
        JSONDocument.Options(maskedKeys: JSONDocument.Options.defaultMaskedKeys.union(parameters))
    }

    /// The options that belong to ``standard``, made once.
    package static let standardDocumentOptions = Redactor.standard.documentOptions

    /// A JSON text with its secret members masked; `nil` when it is no JSON.
    public func json(_ bytes: Bytes) -> String? {
        (try? JSONDocument(bytes)).map(json)
    }

    /// The text of a document that was parsed already, with its secret members masked.
    public func json(_ document: JSONDocument) -> String {
        document.root.text(substituting: { isSecret($0) ? Self.mask : nil })
    }
}
