// expected on watchos: integer literal '5000000000' overflows when stored into 'Int'
let length: Int = 5_000_000_000
