#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import TarmacCore

/// A message for a signature: a request, or a response with its request (pure).
struct SignedMessage {
    /// The signed message.
    let subject: Side
    /// The request that a response answers.
    let request: Side?
    /// The kinds of structured fields besides the known ones.
    var kinds: [String: StructuredKind] = [:]

    struct Side {
        var method: String?
        var url: HTTPURL?
        var status: Int?
        var headers: HTTPFields
        var trailers: HTTPFields?
        var bodyLength: Int?
    }

    static func request(_ request: Request) -> SignedMessage { SignedMessage(subject: Side(request), request: nil) }
    static func response(_ response: Response, to request: Request) -> SignedMessage {
        let side = Side(status: response.status.code, headers: response.headers, trailers: response.trailers, bodyLength: nil)
        return SignedMessage(subject: side, request: Side(request))
    }

    /// Returns the value of a component (RFC 9421 §2); throws a reason if it has none.
    func value(of component: MessageComponent) throws(ComponentFault) -> String {
        guard let side = component.isOfRequest ? request : subject else { throw ComponentFault(component, "there is no request it could be of") }
        if component.isDerived { return try side.derived(component) }
        return try side.field(component, kinds)
    }
}

/// The reason why a component has no value.
struct ComponentFault: Error {
    let text: String

    init(_ component: MessageComponent, _ reason: String) { text = "the component \(ShownID.text("\(component)")): \(reason)" }
    init(_ reason: String) { text = reason }
}

extension SignedMessage.Side {
    init(_ request: Request) {
        let length = request.body.isNone ? nil : request.body.buffered?.count
        self.init(method: request.method.rawValue, url: request.url, status: nil, headers: request.headers, bodyLength: length)
    }

    // MARK: Derived components (RFC 9421 §2.2)

    fileprivate func derived(_ component: MessageComponent) throws(ComponentFault) -> String {
        for flag in ["sf", "bs", "tr"] where component.has(flag) { throw ComponentFault(component, "it takes no \(flag)") }
        guard component.text("key") == nil, component.name == "@query-param" || component.text("name") == nil else {
            throw ComponentFault(component, "it takes no such parameter")
        }
        let value: String? =
            switch component.name {
            case "@method": method
            case "@target-uri": url.map { "\($0.scheme)://\(headers.authority(of: $0))\($0.requestTarget)" }
            case "@authority": url.map { headers.authority(of: $0) }
            case "@scheme": url?.scheme
            case "@request-target": url?.requestTarget
            case "@path": url?.path
            case "@query": url.map { "?" + ($0.query ?? "") }
            case "@query-param": try queryParameter(component)
            case "@status": status.map(String.init)
            default: nil
            }
        guard let value else { throw ComponentFault(component, "this kind of message has none") }
        return value
    }

    private func queryParameter(_ component: MessageComponent) throws(ComponentFault) -> String? {
        guard let name = component.text("name") else { throw ComponentFault(component, "it has no name") }
        guard let url else { return nil }
        let values = PercentForm.pairs(url.query ?? "").filter { PercentForm.encode($0.name) == name }
        // §2.2.8: a name that occurs more than once must not be covered.
        guard values.count == 1 else { throw ComponentFault(component, "it occurs \(values.count) times in the query") }
        return PercentForm.encode(values[0].value)
    }

    // MARK: Fields (RFC 9421 §2.1)

    fileprivate func field(_ component: MessageComponent, _ kinds: [String: StructuredKind]) throws(ComponentFault) -> String {
        let lines = try lines(component)
        if component.has("bs") {
            if component.has("sf") || component.text("key") != nil { throw ComponentFault(component, "bs goes with neither sf nor key") }
            return try structured(component) { try StructuredField.text(lines.map { StructuredField.item(StructuredField.bytes(Array($0.utf8))) }) }
        }
        let text = lines.joined(separator: ", ")
        if let key = component.text("key") { return try member(key, of: text, component) }
        guard component.has("sf") else { return text }
        guard let kind = kinds[component.name] ?? StructuredKind.known[component.name] else {
            throw ComponentFault(component, "nothing says whether the field is an item, a list or a dictionary")
        }
        return try structured(component) { try kind.reserialised(text) }
    }

    private func lines(_ component: MessageComponent) throws(ComponentFault) -> [String] {
        guard let name = HTTPField.Name(component.name) else { throw ComponentFault(component, "it is no field name") }
        let lines = (component.has("tr") ? trailers ?? [:] : headers)[values: name].map(\.trimmedField)
        // HTTPTypes splits the field at its semicolons; it is sent in one piece (RFC 6265 §5.4, RFC 9113 §8.2.3).
        if name == .cookie, !lines.isEmpty { return [lines.joined(separator: "; ")] }
        if !lines.isEmpty { return lines }
        if component.has("tr") { throw ComponentFault(component, "the message has no such trailer") }
        // The fields that the transport creates from URL and body.
        if component.name == "host", let url { return [url.authority] }
        if component.name == "content-length", let bodyLength { return [String(bodyLength)] }
        throw ComponentFault(component, "the message does not have it")
    }

    private func member(_ key: String, of text: String, _ component: MessageComponent) throws(ComponentFault) -> String {
        let member = try structured(component) { try StructuredField.dictionary(text)[key] }
        guard let member else { throw ComponentFault(component, "the field has no such member") }
        return try structured(component) { try StructuredField.text(member) }
    }

    private func structured<Value>(_ component: MessageComponent, _ make: () throws -> Value) throws(ComponentFault) -> Value {
        do { return try make() } catch {
            throw ComponentFault(component, error is StructuredField.TooLong ? "the field is too long to be read" : "the field is not well-formed")
        }
    }
}

extension String {
    /// The text without surrounding white space, and with obsolete line folding as one space (RFC 9421 §2.1).
    fileprivate var trimmedField: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start...end])
    }
}
#endif
