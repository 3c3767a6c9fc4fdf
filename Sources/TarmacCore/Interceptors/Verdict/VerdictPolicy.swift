package import HTTPTypes
package import TarmacJSON

/// Judges a complete response once: status, media type, parse, envelope, shape (pure).
package struct VerdictPolicy {
    let status: AcceptableStatus
    let contentTypes: AcceptableContentTypes
    let envelope: Envelope
    /// The shape of the envelope's payload.
    let shape: Shape
    /// Whether the value is decoded from the parsed body.
    let readsJSON: Bool
    let needsJSON: Bool
    let ignoresBody: Bool
    let documentOptions: JSONDocument.Options
    /// Whether only the reader handles the body, as in a download, even if the body is complete.
    let isStreamed: Bool
    /// Whether the envelope is checked. A caller that made the request itself judges the response itself.
    let checksEnvelope: Bool
    /// The header fields of the request.
    let requestFields: HTTPFields

    package init(
        status: AcceptableStatus, contentTypes: AcceptableContentTypes, envelope: Envelope, shape: Shape, readsJSON: Bool,
        needsJSON: Bool, ignoresBody: Bool, documentOptions: JSONDocument.Options, isStreamed: Bool = false,
        checksEnvelope: Bool = true, requestFields: HTTPFields = [:]
    ) {
        (self.status, self.contentTypes, self.envelope, self.shape, self.readsJSON) = (status, contentTypes, envelope, shape, readsJSON)
        (self.needsJSON, self.ignoresBody, self.documentOptions) = (needsJSON, ignoresBody, documentOptions)
        (self.isStreamed, self.checksEnvelope, self.requestFields) = (isStreamed, checksEnvelope, requestFields)
    }

    /// Returns the response with its verdict, and with the document if it was parsed.
    package func judge(_ response: consuming Response) -> Response {
        judge(&response)
        return response
    }

    package func judge(_ response: inout Response) {
        do throws(TarmacError) {
            try judgeStatus(&response)
            // Read once, because it costs as much as reading a small body.
            let isOpen = contentTypes.acceptAnything(needsJSON: needsJSON)
            let type = isOpen && !readsBody ? nil : response.mediaType
            if !isOpen { try judgeContentType(type, response) }
            if readsBody { try judgeBody(&response, type) }
            response.verdict = .success
        } catch {
            response.verdict = .failure(error.with(response: response.snapshot(options: documentOptions)))
        }
    }

    private func judgeStatus(_ response: inout Response) throws(TarmacError) {
        let code = response.status.code
        guard status.contains(code) else {
            let error = TarmacError(
                .unacceptableStatus, phase: .judging, "the server answered \(code)\(reason(response.status.registered))",
                suggestion: suggestion(code))
            throw withServerWords(error, in: &response)
        }
        if code == 206 { try judgePart() }
    }

    /// Whether a response with this status is a failure whatever else it states.
    func refuses(_ code: Int) -> Bool { !status.contains(code) || code == 206 && isUnaskedPart }
    private var isUnaskedPart: Bool { !status.takesAnyPart && !requestFields.contains(.range) }

    /// Checks that the request asked for a part (RFC 9110 §15.3.7). An added Range field could shorten even a signed
    /// response.
    private func judgePart() throws(TarmacError) {
        guard isUnaskedPart else { return }
        throw TarmacError(
            .unacceptableStatus, phase: .judging, "the server answered 206, a part of the answer, and nobody had asked for a part",
            suggestion: "look for what adds a Range on the way; if the server answers so by itself, list 206 in acceptableStatus")
    }

    private func reason(_ status: HTTPResponse.Status) -> String { status.reasonPhrase.isEmpty ? "" : " \(status.reasonPhrase)" }

    private func suggestion(_ code: Int) -> String? {
        switch code {
        case 300...399: "follow redirects, or accept the status"
        case 401: "check the credentials"
        case 404: "check the path"
        case 405: "check the method"
        case 415: "check the body's content type"
        case 429, 503: "try again later"
        default: nil
        }
    }

    /// Adds the server's own code and message, from the envelope or from problem details.
    private func withServerWords(_ error: TarmacError, in response: inout Response) -> TarmacError {
        let type = response.mediaType
        guard type?.isJSON == true, response.body.collected?.isEmpty == false else { return error }
        guard let document = try? JSONDocument.of(response, type, options: documentOptions) else { return error }
        response.document = document
        let json = document.root
        let problem = type?.essence == "application/problem+json"
        return error.with(
            serverCode: envelope.code(in: json) ?? (problem ? json["type"].string : nil),
            message: envelope.message(in: json, isProblem: problem))
    }

    private func judgeContentType(_ type: MediaType?, _ response: borrowing Response) throws(TarmacError) {
        if contentTypes.contains(type, needsJSON: needsJSON) { return }
        if ignoresBody || response.body.collected?.isEmpty == true, !needsJSON { return }
        throw TarmacError(
            .unacceptableContentType, phase: .judging,
            "the answer is \(type?.essence ?? "of no stated type"), which is not acceptable",
            suggestion: "set acceptableContentTypes if the server is known to say so, for example .lenientJSON")
    }

    private var checksShape: Bool { needsJSON && shape != .any }
    private var mayCheckEnvelope: Bool { checksEnvelope && envelope.hasCondition }
    private var readsBody: Bool { !isStreamed && (needsJSON && readsJSON || mayCheckEnvelope || checksShape) }

    private func judgeBody(_ response: inout Response, _ type: MediaType?) throws(TarmacError) {
        guard let bytes = response.body.collected else { return }
        // After HEAD, and with a 204, there is nothing to judge where no JSON is taken, whatever type is stated.
        if bytes.isEmpty, !needsJSON { return }
        let needsEnvelope = mayCheckEnvelope && (needsJSON || ignoresBody && type?.isJSON == true)
        if mayCheckEnvelope, !needsEnvelope, let json = possibleEnvelope(response, type) { try judgeEnvelope(json) }
        guard needsJSON && readsJSON || needsEnvelope || checksShape else { return }
        let document = try JSONDocument.of(response, type, options: documentOptions)
        response.document = document
        if needsEnvelope { try judgeEnvelope(document.root) }
        if checksShape { try judgeShape(try envelope.payload(in: document.root)) }
    }

    /// Returns the envelope where a response needs none.
    ///
    /// A server may call its envelope text, or nothing, where no value is expected. A value of text or bytes may be any
    /// JSON, of which only the code makes an envelope.
    private func possibleEnvelope(_ response: borrowing Response, _ type: MediaType?) -> JSON? {
        guard ignoresBody || type?.isJSON == true && envelope.codeRoot != nil else { return nil }
        guard let json = try? JSONDocument.of(response, type, options: documentOptions).root, json.kind == .object else { return nil }
        guard ignoresBody || envelope.code(in: json) != nil else { return nil }
        return json
    }

    private func judgeEnvelope(_ json: JSON) throws(TarmacError) {
        if envelope.isSuccess(json) { return }
        let code = envelope.code(in: json)
        let message = envelope.message(in: json)
        let reason = "the server reports a failure" + (code.map { ", code \($0)" } ?? "")
        throw TarmacError(.envelopeFailure, phase: .judging, reason, path: envelope.codeRoot)
            .with(serverCode: code, message: message)
    }

    private func judgeShape(_ payload: JSON) throws(TarmacError) {
        do { try shape.check(payload) } catch {
            throw TarmacError(
                .shapeMismatch, phase: .judging, "the answer does not have the expected shape: \(error.contrast)",
                suggestion: "compare the shape with the body in error.response", cause: error, path: error.path.description)
        }
    }
}

extension JSONError {
    /// The expected and the found value.
    fileprivate var contrast: String { "expected \(expected ?? "something else"), found \(found ?? "nothing")" }
}
