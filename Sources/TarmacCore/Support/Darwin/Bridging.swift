#if canImport(Darwin)
package import Foundation
package import Security

// The casts that need Objective-C, and nothing else: scripts/apple-check, which has no Objective-C, checks the rest of the
// target against scripts/support/apple/seams/TarmacCore/Bridging.swift. Both files declare the same functions.

package func coreText(_ text: String) -> CFString { text as CFString }

package func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { dictionary as CFDictionary }

package func plainText(_ text: CFString) -> String { text as String }

/// `nil` for anything but data.
package func plainData(_ object: CFTypeRef?) -> Data? { object as? Data }
#endif
