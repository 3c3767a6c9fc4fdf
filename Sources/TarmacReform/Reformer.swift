import TarmacJSON
public import TarmacCore

/// A type that makes the value for a screen from a response. It gives code without models one place for this work.
///
/// A reformer works on the `Payload`: the judged response, whose JSON is parsed once for all readers. A reformer may
/// serve several endpoints, because the payload names its `Payload/endpoint`. Several reformers may use one landing,
/// see ``Landed/reformed(by:)-(Reforming)``. A function of the payload can be used instead of a reformer.
///
/// ```swift
/// struct ProductCells: Reformer {
///     func reform(_ payload: Payload) throws -> [Cell] {
///         try payload.json["items"].elements.map { Cell(title: try $0.get("title"), price: try $0[ProductKeys.price]) }
///     }
/// }
/// let cells = try await client.send(ListProducts(page: 1).reformed(by: ProductCells()))
/// ```
public protocol Reformer<Value>: Sendable {
    /// The type of the value.
    associatedtype Value: Sendable

    /// Whether the reformer needs `Payload/json`. If `true`, the response must be JSON, whatever value the endpoint
    /// has. Default: `false`, the response is judged for the endpoint's own value.
    var needsJSON: Bool { get }

    /// Makes the value.
    ///
    /// - Throws: a `TarmacError`, such as one of the payload's, ends the call unchanged. Any other error becomes the
    ///   cause of `TarmacError(.reformingFailed)`, which contains the response and, for a `JSONError` or a
    ///   `DecodingError`, the path in it.
    func reform(_ payload: Payload) throws -> Value
}

extension Reformer {
    public var needsJSON: Bool { false }

    /// Whether the response to the endpoint with a name must be JSON.
    package func needsJSON(for endpoint: String) -> Bool { (self as? any SelectingReformer)?.readsJSON(of: endpoint) ?? needsJSON }

    /// Returns the value of a payload, or throws the reason why there is none.
    package func value(of payload: Payload) throws(TarmacError) -> Value {
        do { return try reform(payload) } catch let error as TarmacError {
            throw error.response == nil ? error.with(response: payload.snapshot) : error
        } catch {
            throw ReformingFailure.error(error, of: self, payload: payload)
        }
    }
}

/// Turns an error of a reformer into one that names the reformer, the endpoint and the path.
enum ReformingFailure {
    static func error(_ error: any Error, of reformer: any Reformer, payload: Payload) -> TarmacError {
        // The error's own text may quote the response, which may contain a secret.
        let reason = "the reformer \(name(of: reformer)) made nothing of the answer to \(payload.endpoint): it threw \(type(of: error))"
        return TarmacError(
            .reformingFailed, phase: .decoding, reason + place(error), suggestion: "compare the reformer with the body in error.response",
            cause: error, path: path(error, below: payload.root)
        ).with(response: payload.snapshot)
    }

    private static func name(of reformer: any Reformer) -> String {
        (reformer as? any NamedReformer)?.name ?? "\(type(of: reformer))"
    }

    private static func path(_ error: any Error, below root: String) -> String? {
        if let error = error as? JSONError { return error.path.description }
        guard error is DecodingError else { return nil }
        return DecodingFailure.error(error, as: Void.self, below: root).path
    }

    private static func place(_ error: any Error) -> String {
        guard let error = error as? JSONError else { return "" }
        let line = error.line.map { ", line \($0)" } ?? ""
        return " (\(error.code))\(line)"
    }
}

/// A reformer that needs JSON for some endpoints only.
package protocol SelectingReformer {
    func readsJSON(of endpoint: String) -> Bool
}

/// A reformer with a better name than that of its type.
protocol NamedReformer {
    var name: String { get }
}
