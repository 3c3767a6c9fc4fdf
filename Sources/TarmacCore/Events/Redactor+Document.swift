package import TarmacJSON

extension Redactor {
    /// How bodies are read so that no error about them quotes a secret.
    var documentOptions: JSONDocument.Options {
        JSONDocument.Options(maskedKeys: JSONDocument.Options.defaultMaskedKeys.union(parameters))
    }

    /// The options that belong to ``standard``, made once.
    package static let standardDocumentOptions = Redactor.standard.documentOptions
}
