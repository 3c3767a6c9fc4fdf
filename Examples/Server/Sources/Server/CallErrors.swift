// page: errors
import Hummingbird
import Tarmac
import TarmacTraffic

/// Answers with the status that fits when a call to another service has failed.
struct CallErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Hummingbird.Request, context: Context, next: (Hummingbird.Request, Context) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        do { return try await next(request, context) } catch let error as TarmacError {
            switch error.code {
            case .queueTimeout, .clientShutDown, .rateLimited, .circuitOpen:
                let pause = error.cause(as: CircuitOpen.self)?.remaining ?? .zero
                throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(pause.components.seconds + 1)"])
            case _ where error.code.category == .timeout: throw HTTPError(.gatewayTimeout)
            case _ where error.status == .notFound: throw HTTPError(.notFound)
            default: throw HTTPError(.badGateway)
            }
        }
    }
}
// page end
