// Asks every URL at the same time, and ends with 1 if one is not well: HealthCheck URL...
import Foundation
import Tarmac
import TarmacURLSession

let client = Client(transport: .urlSession) { $0.deadline = .seconds(5) }
let isHealthy = await withTaskGroup { group in
    for url in CommandLine.arguments.dropFirst() {
        group.addTask {
            do {
                let landed = try await client.landed(for: .get(url))
                print("\(url): \(landed.status) after \(landed.duration)")
                return true
            } catch {
                print("\(url): \(error)")
                return false
            }
        }
    }
    var isHealthy = true
    for await isWell in group where !isWell { isHealthy = false }
    return isHealthy
}
exit(isHealthy ? 0 : 1)
