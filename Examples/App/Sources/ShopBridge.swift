#if canImport(SwiftUI) && _runtime(_ObjC)
import Foundation
import Tarmac

/// What call sites in Objective-C use, which see neither structs nor generic methods: a class with a path, a dictionary, an
/// owner and a block.
@MainActor
final class ShopBridge: NSObject {
    private let client: Client

    init(client: Client) { self.client = client }

    /// The block gets what the server sent, or an error with a sentence for the user. It is not called once the owner is gone.
    @objc(get:parameters:owner:completion:)
    func get(_ path: String, parameters: [String: String], owner: NSObject, completion: @escaping @MainActor (Any?, NSError?) -> Void) {
        var list = ParameterList()
        for (name, value) in parameters { list[name] = .string(value) }
        client.start(.get(path, list, as: Data.self), owner: owner) { _, result in
            do {
                completion(try JSONSerialization.jsonObject(with: result.get(), options: .fragmentsAllowed), nil)
            } catch {
                let text = (error as? TarmacError)?.userMessage ?? ""
                completion(nil, NSError(domain: "shop", code: 0, userInfo: [NSLocalizedDescriptionKey: text]))
            }
        }
    }
}
#endif
