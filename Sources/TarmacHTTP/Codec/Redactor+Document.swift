import HTTPTypes
public import TarmacJSON
package import TarmacMasking

extension Redactor {
    /// The options for parsing bodies, so that no error about a body quotes a secret.
    package var documentOptions: JSONDocument.Options {
        var options = JSONDocument.Options(maskedKeys: JSONDocument.Options.defaultMaskedKeys.union(parameters))
        options.shownKeys = shownNames
        return options
    }

    /// The document options of ``standard``, made once.
    package static let standardDocumentOptions = Redactor.standard.documentOptions

    private var documents: SecretMask { SecretMask(names, shown: shown) }

    /// Returns a JSON text with its secrets masked, or `nil` if the text is not JSON.
    public func json(_ bytes: Bytes) -> String? {
        (try? JSONDocument(bytes)).map(json)
    }

    /// Returns the text of a parsed document with its secrets masked: members with secret names, whole if they are objects
    /// or arrays, and strings and numbers by their shape.
    public func json(_ document: JSONDocument) -> String { documents.json(document.root) }

    /// Returns a text of any kind with its secrets masked: members of JSON, also in lines and fragments of it,
    /// `name=value` and `name: value` with secret names, addresses with credentials, and values known by their shape. A
    /// text without secrets does not change.
    public func text(_ text: String) -> String { self.text(text, known: KnownSecrets()) }

    /// - Parameter known: values that are secrets wherever they occur. Of a text that is JSON, members with secret names are no sentences.
    package func text(_ text: String, known: KnownSecrets, isJSON: Bool = false) -> String { documents.text(text, known: known, isJSON: isJSON) }

    // MARK: Known secrets

    /// Returns the secrets of a request, to find them in a text that repeats them.
    package func known(in request: Request) -> KnownSecrets {
        var known = KnownSecrets()
        add(request, to: &known)
        known.prepare()
        return known
    }

    package func add(_ request: Request, to known: inout KnownSecrets) {
        for field in request.headers where isSecret(field.name) { known.insert(header: field.value) }
        if let query = request.url.query { known.insert(form: query, names) }
        if request.url.hidesPath { known.insert(path: request.url.path, shownAs: request.url.shownPath) }
        // A longer body is not searched.
        if let body = request.body.buffered, body.count <= 65_536 { add(body, of: request, to: &known) }
    }

    private func add(_ body: Bytes, of request: Request, to known: inout KnownSecrets) {
        let type = MediaType(request.headers[.contentType] ?? request.body.contentType), isSecret = request.secrets.isBody
        if type?.isJSON == true, let root = (try? JSONDocument(body))?.root { return documents.add(root, isSecret: isSecret, to: &known) }
        guard let text = body.withUnsafeBytes({ String(validUTF8: $0) }) else { return }
        if isSecret { return known.insert(text) }
        if type?.essence == "application/x-www-form-urlencoded" { return known.insert(form: text, names) }
        for secret in texts(.everywhere).secrets(in: text) { known.insert(secret) }
    }
}

extension Request {
    /// Returns a redactor with the names that this request's call hides and shows.
    package func redactor(over base: Redactor) -> Redactor {
        secrets.names.isEmpty && secrets.shown.isEmpty ? base : base.showing(secrets.shown).adding(parameters: secrets.names)
    }
}
