// Shows the errors of a call, and which of them are worth another attempt.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }
struct ShopError: Decodable, Sendable { var reason: String }

let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)])

// page: switch
do {
    _ = try await client.get("/users/9", as: User.self)
} catch let error as TarmacError {
    switch error.code {
    case .unacceptableStatus: print(error.status?.code ?? 0, (try? error.serverError(as: ShopError.self))?.reason ?? "")
    case .timeout, .connectionLost: print("try again")
    default: print(error.userMessage)
    }
} catch {
    print("the call was cancelled")
}
// page end

// page: log
do {
    _ = try await client.get("/users/7", as: [User].self)
} catch let error as TarmacError {
    print(error)
    print(error.code, error.phase, error.attempts, error.isTransient)
    print(error.userMessage(in: .english))
}
// page end

// page: envelope
let basket = Service("basket", host: ShopServer.url) {
    $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
}
do {
    _ = try await client[basket].get("/basket", as: [String].self)
} catch let error as TarmacError {
    print(error.code, error.serverCode ?? "", error.userMessage)
}
// page end

// page: retry
let landed = try await client.landed(for: .get("/flaky", as: User.self)) {
    $0.retry = .exponential(maxAttempts: 3)
    $0.deadline = .seconds(20)
}
print("\(landed.value.name) after \(landed.attempts) attempts")
// page end
