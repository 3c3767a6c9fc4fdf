#if Crypto
import TarmacCore

/// The requirements for a response's signature, checked before its verification (pure).
struct SignaturePolicy {
    let binding: ResponseBinding
    let required: [MessageComponent]
    let label: String?
    let tag: String?
    let unsignedFields: Set<String>
    let freshness: FreshnessWindow

    /// The fields that determine the target of a redirect and how a body is read.
    static let steeringFields = ["location", "content-type", "content-encoding", "content-range"]

    func wants(_ label: String, _ input: SignatureInput) -> Bool {
        if let wanted = self.label, !label.isExactly(wanted) { return false }
        if let tag, !input.tag.isExactly(tag) { return false }
        return true
    }

    /// - Parameters:
    ///   - hasBody: Whether the response has a body, or claims to have one.
    ///   - present: The steering fields that the response has.
    /// - Throws: `.signatureInvalid`, which names the fault or the missing component.
    func check(_ input: SignatureInput, algorithm: String, hasBody: Bool, present: [String]) throws(TarmacError) {
        if input.isMistyped { throw .badSignature("one of its parameters has the wrong type") }
        // §3.2: a named algorithm must be that of the key.
        if let named = input.algorithm, named != algorithm { throw .badSignature("it names another algorithm than its key's, \(algorithm)") }
        for component in [.status] + required where !input.components.contains(component) {
            throw .badSignature("it does not cover \(component)", suggestion: "have the server cover it")
        }
        for name in present where !unsignedFields.contains(name) && !input.components.contains(where: { $0.isWhole(name) }) {
            throw .badSignature("it does not cover \(name)", suggestion: "have the server cover \"\(name)\", which the response has")
        }
        if hasBody, !input.coversDigest {
            throw .badSignature("it does not cover the body", suggestion: "have the server send and cover Content-Digest (RFC 9530)")
        }
    }

    /// - Parameter ties: The parts of the request that the signature covers.
    /// - Throws: `.signatureInvalid` if the response could belong to another request.
    func check(_ ties: RequestTies) throws(TarmacError) {
        if binding == .insecureAnyRequest || ties.saysWhich { return }
        throw .badSignature(
            "it does not say which request it answers",
            suggestion: "have the server cover \"signature\";req of a request signed over method, URL and body, or \"@method\";req, "
                + "\"@authority\";req, \"@path\";req, \"@query\";req and, where the request has one, \"content-digest\";req")
    }

    /// Checks and returns the time of the signature.
    ///
    /// - Throws: `.signatureExpired`, or `.signatureInvalid` if it states no time.
    func checkTime(_ input: SignatureInput, now: Int64) throws(TarmacError) -> Int64 {
        guard let created = input.created else { throw .badSignature("it does not say when it was made", suggestion: "have the server add created") }
        try freshness.check(created: created, expires: input.expires, now: now)
        return created
    }
}

extension SignatureInput {
    /// Whether the complete digest of the body is covered.
    var coversDigest: Bool { components.contains { $0 == .contentDigest || $0 == .contentDigest.structured || $0 == .contentDigest.byteSequence } }
}
#endif
