// Tells subscribers of a shipped order, each under one key, however often it is tried: WebhookSender URL...
import Foundation
import Tarmac
import TarmacURLSession

struct Shipped: Encodable, Sendable {
    var order: Int
    var at: Date
    var items: [String]
    var address: [String: String]
}

let client = Client(transport: .urlSession) {
    $0.retry = .exponential(maxAttempts: 5)
    $0.idempotencyKey = .automatic
    $0.headers["X-Event"] = "order.shipped"
    $0.deadline = .seconds(60)
}
let event = Shipped(order: 7, at: Date(), items: ["cup", "plate"], address: ["city": "Bern"])
for url in CommandLine.arguments.dropFirst() {
    do {
        let landed = try await client.landed(for: .post(url, event))
        print("\(url): \(landed.status) in attempt \(landed.attempts)")
    } catch let error as TarmacError {
        print("\(url): \(error.code), \(error.isTransient ? "to be tried later" : error.userMessage)")
    }
}
