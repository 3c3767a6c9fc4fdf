#if Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encrypts the parameters of a call into one field (XF-11): `data=…` in the query, the form or the JSON body.
///
/// ```swift
/// options.parameterTransforms = [SealedParameters(keys)]                       // {"data":"AQEHMjAyNi0x…"}
/// options.parameterTransforms = [SealedParameters(keys), ParameterSignature(.hmacSHA256, secret: secret)]
/// ```
/// All parameters but those of the template, of header fields and those kept become a JSON object, sealed with the current
/// key, in base64url without padding; the form of the bytes is in `Documentation/Crypto.md`. They are bound to the method,
/// the route's template, the values that fill it and the field: what was sealed for `/orders/7` is refused at `/orders/8`.
/// Sealed anew for every request that is sent.
public struct SealedParameters: ParameterTransform {
    /// `true`: what is asked stays the same.
    public var onlyProtects: Bool { true }

    private let blob: SealedBlob
    private let field: String
    private let kept: Set<String>

    /// - Parameters:
    ///   - keyring: the keys both sides have.
    ///   - field: the parameter that carries the others. Default `data`.
    ///   - kept: parameters that stay as they are. Default: none.
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
        // One that is placed in the query fills the path all the same where that names it.
        case .query: return !ofPath.contains(parameter.name)
        case .field: return true
        case .automatic: return !ofTemplate.contains(parameter.name)
        case .body:
            throw TarmacError(
                .invalidParameter, "the parameter \(parameter.name) is the whole body and cannot be sealed into \(field)",
                suggestion: "encrypt the body with options.encryption instead", path: parameter.name)
        }
    }

    /// What a field holds, as the JSON that was sealed: the server's half, for mock servers and services in Swift.
    ///
    /// - Parameter values: what fills the template, as the path that was asked says, percent-encoding undone.
    /// - Throws: `TarmacError` with `.decryptionFailed` or `.unknownKey`.
    public func open(_ text: String, method: String, template: String, filledWith values: ParameterList = [:]) throws(TarmacError) -> Bytes {
        guard let box = Base64URL.decode(text) else { throw .unopenable("it is not base64url") }
        return try blob.open(box, context: context(method, template, values))
    }

    /// Method, template, field, then `name=value` of each variable of the template that has one, the value percent-encoded, so
    /// that none runs into the next; joined by LF.
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
    /// Whether it goes into a template that names it.
    fileprivate var fillsTemplates: Bool {
        switch placement {
        case .automatic, .path, .query: true
        case .header, .body, .field: false
        }
    }
}

extension SealedParameters: CustomStringConvertible, CustomReflectable {
    /// The field.
    public var description: String { "SealedParameters in \(field)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
