import TarmacJSON
public import TarmacCore

/// Makes what a screen shows out of an answer, so that code without models has one place for it.
///
/// A reformer works on the ``Payload``: the judged answer, whose JSON is parsed once whoever reads it. One may serve many
/// endpoints, since the payload names its ``Payload/endpoint``; several may serve one landing, see
/// ``Landed/reformed(by:)-(Reforming)``; a plain function of the payload serves too.
///
/// ```swift
/// struct ProductCells: Reformer {
///     func reform(_ payload: Payload) throws -> [Cell] {
///         try payload.json["items"].elements.map { Cell(title: try $0.get("title"), price: try $0[ProductKeys.price]) }
///     }
/// }
/// let cells = try await client.send(ListProducts(page: 1), reformedBy: ProductCells())
/// ```
public protocol Reformer<Value>: Sendable {
    /// What it makes.
    associatedtype Value: Sendable

    /// Whether it cannot do without ``Payload/json``: then the answer is judged as JSON, whatever the endpoint lands as.
    /// Default `false`: the answer is judged as the endpoint's own value needs it.
    var needsJSON: Bool { get }

    /// Makes the value. A `TarmacError` it throws, such as the payload's own, ends the call as it is; anything else
    /// becomes the cause of `TarmacError(.reformingFailed)`, which holds the answer and, for a `JSONError` or a
    /// `DecodingError`, the path in it.
    func reform(_ payload: Payload) throws -> Value
}

extension Reformer {
    public var needsJSON: Bool { false }

    /// The same for the answer of the endpoint of a name.
    package func needsJSON(for endpoint: String) -> Bool { (self as? any SelectingReformer)?.readsJSON(of: endpoint) ?? needsJSON }

    /// The value, or why there is none.
    package func value(of payload: Payload) throws(TarmacError) -> Value {
        do { return try reform(payload) } catch let error as TarmacError {
            throw error.response == nil ? error.with(response: payload.snapshot) : error
        } catch {
            throw ReformingFailure.error(error, of: self, payload: payload)
        }
    }
}

/// What a reformer threw, as an error that names the reformer, the endpoint and the place.
enum ReformingFailure {
    static func error(_ error: any Error, of reformer: any Reformer, payload: Payload) -> TarmacError {
        // The error's own words may quote the answer, and the answer may hold a secret.
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

/// A reformer whose needs differ by endpoint.
package protocol SelectingReformer {
    func readsJSON(of endpoint: String) -> Bool
}

/// A reformer with a better name than that of its type.
protocol NamedReformer {
    var name: String { get }
}
