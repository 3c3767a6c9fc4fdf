// swift-format-ignore-file
// Laid out as the page of the reference shows it.
// The call site of the page of TarmacJSON: it has to compile.
import Tarmac
import TarmacJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Page {
    static func json(_ data: Data, _ order: [String: Int]) throws -> (String?, [User], Int) {
        let document = try JSONDocument(data)                       // checked and indexed in one pass, nothing copied
        let name = document.root["user"]["name"].string             // nil where it is missing or something else
        let users = try TarmacJSONDecoder().decode([User].self, from: document.root["data"])        // no second parse
        let body = try TarmacJSONEncoder().encode(order)
        return (name, users, body.count)
    }
}
