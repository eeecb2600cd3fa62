extension Bitmap {
    /// A bitmap of half the width and height; each pixel is the mean of four.
    borrowing func halved() -> Bitmap {
        let half = Bitmap(width: self.width / 2, height: self.height / 2)
        for y in 0..<half.height {
            let top = self.samples + 4 * self.width * 2 * y
            let bottom = top + 4 * self.width
            let row = half.samples + 4 * half.width * y
            for x in 0..<half.width {
                for channel in 0..<4 {
                    let (left, right) = (8 * x + channel, 8 * x + 4 + channel)
                    let sum = Int(top[left]) + Int(top[right]) + Int(bottom[left]) + Int(bottom[right])
                    row[4 * x + channel] = UInt8((sum + 2) / 4)
                }
            }
        }
        return half
    }

    /// A bitmap of twice the width and height that repeats this one four times, which preserves the local detail.
    borrowing func tiled() -> Bitmap {
        let tiles = Bitmap(width: 2 * self.width, height: 2 * self.height)
        let rowBytes = 4 * self.width
        for y in 0..<tiles.height {
            let source = self.samples + rowBytes * (y % self.height)
            (tiles.samples + 2 * rowBytes * y).update(from: source, count: rowBytes)
            (tiles.samples + 2 * rowBytes * y + rowBytes).update(from: source, count: rowBytes)
        }
        return tiles
    }
}
