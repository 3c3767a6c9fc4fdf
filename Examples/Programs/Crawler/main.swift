// Follows the quoted paths of a site, each once, four at a time: Crawler http://127.0.0.1:8080 /seeds/images/cup
import Foundation
import Tarmac
import TarmacTraffic
import TarmacURLSession

let site = Service("site", host: CommandLine.arguments[1])
let client = Client(transport: .urlSession, services: [site]) {
    $0.timeout = .seconds(10)
    $0.retry = .exponential(maxAttempts: 3)
    $0.rateLimit = .perSecond(50, burst: 10)
}
var front = [CommandLine.arguments[2]], seen = Set(front)
while !front.isEmpty, seen.count < 100 {
    let pages = try await client.send(Batch(front.map { .get($0, as: Data.self) }, limit: 4))
    var next: [String] = []
    for (path, page) in zip(front, pages) {
        do {
            let text = String(decoding: try page.get(), as: UTF8.self)
            print("\(path): \(text.utf8.count) bytes")
            for link in text.matches(of: /"(\/[^"\s{}]*)"/).map({ String($0.1) }) where seen.insert(link).inserted { next.append(link) }
        } catch {
            print("\(path): \(error)")
        }
    }
    front = next
}
