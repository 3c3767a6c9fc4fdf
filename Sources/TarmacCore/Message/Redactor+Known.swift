import HTTPTypes
import TarmacJSON
package import TarmacMasking

extension Redactor {
    /// The largest body that is searched for secrets.
    private static let searchLimit = 65_536

    /// Returns the secrets of a request, to find them in a text that repeats them.
    package func known(in request: Request) -> KnownSecrets {
        var known = KnownSecrets()
        add(request, to: &known)
        return known
    }

    func add(_ request: Request, to known: inout KnownSecrets) {
        for field in request.headers where isSecret(field.name) { add(header: field.value, to: &known) }
        if let query = request.url.query { add(form: query, to: &known) }
        if request.url.hidesPath { add(path: request.url, to: &known) }
        if let body = request.body.buffered, body.count <= Self.searchLimit { add(body, of: request, to: &known) }
    }

    /// The value, what follows its scheme, as in `Bearer …`, and the values of its pairs, as in Cookie.
    private func add(header value: String, to known: inout KnownSecrets) {
        known.insert(value)
        for part in value.split(separator: " ").dropFirst() { known.insert(String(part)) }
        for pair in value.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            known.insert(String(pair[pair.index(after: equals)...].filter { $0 != "\"" }))
        }
    }

    private func add(form text: String, to known: inout KnownSecrets) {
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, hidesSecret(inForm: String(pair)) else { continue }
            known.insert(String(halves[1]))
            known.insert(halves[1].formDecoded)
        }
    }

    private func add(path url: HTTPURL, to known: inout KnownSecrets) {
        let shown = Set(url.shownPath.split(separator: "/"))
        for part in url.path.split(separator: "/") where !shown.contains(part) {
            known.insert(String(part))
            known.insert(part.formDecoded)
        }
    }

    private func add(_ body: Bytes, of request: Request, to known: inout KnownSecrets) {
        let type = MediaType(request.headers[.contentType] ?? request.body.contentType)
        if type?.isJSON == true, let root = (try? JSONDocument(body))?.root { return add(root, isSecret: request.secrets.isBody, to: &known) }
        guard let text = body.withUnsafeBytes({ String(validUTF8: $0) }) else { return }
        if request.secrets.isBody { known.insert(text) }
        if type?.essence == "application/x-www-form-urlencoded" { add(form: text, to: &known) }
    }

    private func add(_ json: JSON, isSecret: Bool, to known: inout KnownSecrets) {
        if let text = isSecret ? json.string ?? json.int.map(String.init) : nil { known.insert(text) }
        for (name, value) in json.members { add(value, isSecret: isSecret || self.isSecret(name), to: &known) }
        for element in json.elements { add(element, isSecret: isSecret, to: &known) }
    }
}
