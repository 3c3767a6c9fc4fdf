#if canImport(Darwin)
package import Foundation
package import Security

// Only the casts that need Objective-C are here. scripts/apple-check has no Objective-C and checks the rest of
// the target against scripts/support/apple/seams/TarmacCore/Bridging.swift. Both files declare the same
// functions.

package func coreText(_ text: String) -> CFString { text as CFString }

package func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { dictionary as CFDictionary }

package func plainText(_ text: CFString) -> String { text as String }

/// Returns the object as a dictionary; empty if it is none.
package func plainDictionary(_ object: CFTypeRef?) -> [String: Any] { object as? [String: Any] ?? [:] }
#endif
