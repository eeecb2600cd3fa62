/// Pixels that are taken together: how many, and their mean colour.
struct PixelGroup {
    private(set) var count = 0
    private var red = 0
    private var green = 0
    private var blue = 0

    /// The mean of each sRGB value, 0...255. The group must not be empty.
    var mean: (red: UInt8, green: UInt8, blue: UInt8) {
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + self.count / 2) / self.count) }
        return (mean(self.red), mean(self.green), mean(self.blue))
    }

    /// The place of the mean colour.
    var centre: OKLab {
        let mean = self.mean
        return OKLab(red: mean.red, green: mean.green, blue: mean.blue)
    }

    mutating func add(red: UInt8, green: UInt8, blue: UInt8) {
        self.count += 1
        self.red += Int(red)
        self.green += Int(green)
        self.blue += Int(blue)
    }

    mutating func add(_ other: PixelGroup) {
        self.count += other.count
        self.red += other.red
        self.green += other.green
        self.blue += other.blue
    }
}
