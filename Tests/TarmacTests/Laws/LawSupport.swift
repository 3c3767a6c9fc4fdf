import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// An error Tarmac knows nothing about; its text is a secret that must not get into a log.
struct Foreign: Error, Equatable, CustomStringConvertible {
    var number = 1
    var description: String { "hunter2" }
}

/// What the law tests land as.
struct Number: Codable, Equatable, Sendable {
    var n: Int
}

/// An owner that keeps what lands; the list outlives it.
final class Owner: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    let landings: Watched<[String]>

    init(_ landings: Watched<[String]>) { self.landings = landings }

    func land(_ result: Result<Number, any Error>) { landings.update { $0.append(Self.text(result)) } }

    @MainActor func landed(_ result: Result<Number, any Error>) { land(result) }

    static func text(_ result: Result<Number, any Error>) -> String {
        switch result {
        case .success: "value"
        case .failure(let error as TarmacError): error.code.name
        case .failure(is CancellationError): "cancelled"
        case .failure(let error): "foreign \(type(of: error))"
        }
    }
}

extension Owner: CallDelegate {
    func callDidLand(_ call: AnyCall) {
        land(call.hasSucceeded ? .success(Number(n: 1)) : .failure(call.error ?? Foreign()))
    }
}

/// An interceptor made of a closure.
struct Intercepting: Interceptor {
    let body: @Sendable (Request, Chain) async throws -> Response
    init(_ body: @escaping @Sendable (Request, Chain) async throws -> Response) { self.body = body }
    func intercept(_ request: Request, chain: Chain) async throws -> Response { try await body(request, chain) }
}

/// A parameter transform made of a closure.
struct Transforming: ParameterTransform {
    let body: @Sendable (ParameterList) throws -> ParameterList
    func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList { try body(parameters) }
}

extension Client {
    /// A client with one service on `https://s.example`.
    init(
        _ stub: StubTransport, concurrency: Int = 64, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }
    ) {
        self.init(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: concurrency, time: time,
            configure: configure)
    }
}

/// The error a call ends with; records an issue when it is no `TarmacError`.
func failure(
    _ note: String = "", isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async -> TarmacError? {
    do {
        try await call()
        Issue.record("it landed \(note)", sourceLocation: sourceLocation)
    } catch let error as TarmacError {
        return error
    } catch {
        Issue.record("\(type(of: error)) came out \(note)", sourceLocation: sourceLocation)
    }
    return nil
}

/// A reference that does not keep its object.
// SAFETY: a weak reference is read and cleared atomically, and never set after it was made.
struct Weak: @unchecked Sendable {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
}
