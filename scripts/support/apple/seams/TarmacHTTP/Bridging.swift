package import Foundation
package import Security

package func coreText(_ text: String) -> CFString { fatalError() }
package func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { fatalError() }
package func plainText(_ text: CFString) -> String { fatalError() }
package func plainDictionary(_ object: CFTypeRef?) -> [String: Any] { fatalError() }
