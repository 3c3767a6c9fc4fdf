#if Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encrypts the parameters of a call into one field: `data=…` in the query, the form or the JSON body.
///
/// ```swift
/// options.parameterTransforms = [SealedParameters(keys)]                       // {"data":"AQEHMjAyNi0x…"}
/// options.parameterTransforms = [SealedParameters(keys), ParameterSignature(.hmacSHA256, secret: secret)]
/// ```
/// All parameters become a JSON object, except those of the template, of header fields, and the kept ones. It is sealed
/// with the current key and encoded in base64url without padding; `Documentation/Crypto.md` describes the bytes. It is
/// bound to the method, the route's template, the values in the path, and the field: parameters sealed for `/orders/7`
/// are refused at `/orders/8`. They are sealed again for every request that is sent.
public struct SealedParameters: ParameterTransform {
    /// `true`: the transform does not change the meaning of the call.
    public var onlyProtects: Bool { true }

    private let blob: SealedBlob
    private let field: String
    private let kept: Set<String>

    /// - Parameters:
    ///   - keyring: The keys that both sides have.
    ///   - field: The parameter that holds the others. Default: `data`.
    ///   - kept: The parameters that stay as they are. Default: none.
    public init(_ keyring: Keyring, field: String = "data", keeping kept: Set<String> = []) {
        self.init(keyring, field: field, keeping: kept, nonce: nil)
    }

    package init(_ keyring: Keyring, field: String, keeping kept: Set<String>, nonce: [UInt8]?) {
        blob = SealedBlob(label: "tarmac parameters", keyring: keyring, nonce: nonce)
        self.field = field
        self.kept = kept
    }

    public func transform(_ parameters: ParameterList, for request: ParameterTarget) throws(TarmacError) -> ParameterList {
        try parameters.validate()
        let template = try URITemplate(request.template)
        let ofTemplate = Set(template.variableNames), ofPath = template.pathVariableNames
        var open = ParameterList(), sealed = ParameterList()
        for parameter in parameters {
            if try isSealed(parameter, ofTemplate, ofPath) { sealed.append(parameter) } else { open.append(parameter) }
        }
        if sealed.isEmpty { return parameters }
        guard open.first(named: field) == nil else {
            throw TarmacError(.invalidParameter, "the parameter \(field) is to carry the sealed ones, and there is one of that name", path: field)
        }
        let box = try blob.seal(Bytes(try sealed.json()), context: context(request.method, request.template, open))
        open.append(Parameter(field, .string(Base64URL.encode(box))))
        return open
    }

    private func isSealed(_ parameter: Parameter, _ ofTemplate: Set<String>, _ ofPath: Set<String>) throws(TarmacError) -> Bool {
        if kept.contains(parameter.name) { return false }
        switch parameter.placement {
        case .header, .path: return false
        // A query parameter still fills the path if the path names it.
        case .query: return !ofPath.contains(parameter.name)
        case .field: return true
        case .automatic: return !ofTemplate.contains(parameter.name)
        case .body:
            throw TarmacError(
                .invalidParameter, "the parameter \(parameter.name) is the whole body and cannot be sealed into \(field)",
                suggestion: "encrypt the body with options.encryption instead", path: parameter.name)
        }
    }

    /// Returns the JSON sealed in a field: the server's part, for mock servers and services in Swift.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - method: The method of the request.
    ///   - template: The template of the route, such as `/orders/{id}`.
    ///   - values: The values in the path of the request, without percent-encoding. Default: none.
    /// - Throws: `TarmacError` with `.decryptionFailed` or `.unknownKey`.
    public func open(_ text: String, method: String, template: String, filledWith values: ParameterList = [:]) throws(TarmacError) -> Bytes {
        guard let box = Base64URL.decode(text) else { throw .unopenable("it is not base64url") }
        return try blob.open(box, context: context(method, template, values))
    }

    /// Returns method, template, field, and `name=value` for each variable of the template with a value, joined by LF.
    /// The values are percent-encoded, so that none runs into the next.
    private func context(_ method: String, _ template: String, _ values: ParameterList) throws(TarmacError) -> [UInt8] {
        var lines = [method, template, field]
        for name in try URITemplate(template).variableNames where name != field {
            guard let value = values.last(where: { $0.name == name && $0.fillsTemplates })?.value else { continue }
            guard let text = try CanonicalText.text(value, dates: .iso8601) else { continue }
            lines.append("\(name)=\(PercentForm.encode(text))")
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}

extension Parameter {
    /// Whether the parameter fills a template that names it.
    fileprivate var fillsTemplates: Bool {
        switch placement {
        case .automatic, .path, .query: true
        case .header, .body, .field: false
        }
    }
}

extension SealedParameters: MaskedReflectable {
    /// The field.
    public var description: String { "SealedParameters in \(field)" }
}
#endif
