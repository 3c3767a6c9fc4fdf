// Fills a cache in a folder, so that the first user does not wait: CacheWarmer http://127.0.0.1:8080 FOLDER PATH...
import Foundation
import Tarmac
import TarmacURLSession

let store = try FileCacheStore(folder: CommandLine.arguments[2])
let client = Client(transport: .urlSession, services: [Service("shop", host: CommandLine.arguments[1])]) {
    $0.cache = .http
    $0.cacheStore = .store(store)
}
await withTaskGroup { group in
    for path in CommandLine.arguments.dropFirst(3) {
        group.addTask {
            do {
                let landed = try await client.landed(for: .get(path, as: Data.self))
                print("\(path): \(landed.value.count) bytes, \(landed.source)")
            } catch {
                print("\(path): \(error)")
            }
        }
    }
}
await client.shutdown()
