/// A rectangle of pixels that is not empty.
struct PixelArea: Hashable {
    var x, y, width, height: Int

    var maxX: Int { self.x + self.width }
    var maxY: Int { self.y + self.height }

    func intersection(_ other: PixelArea) -> PixelArea? {
        let (left, top) = (max(self.x, other.x), max(self.y, other.y))
        let (right, bottom) = (min(self.maxX, other.maxX), min(self.maxY, other.maxY))
        guard left < right, top < bottom else { return nil }
        return PixelArea(x: left, y: top, width: right - left, height: bottom - top)
    }

    func union(_ other: PixelArea) -> PixelArea {
        let (left, top) = (min(self.x, other.x), min(self.y, other.y))
        return PixelArea(
            x: left, y: top, width: max(self.maxX, other.maxX) - left, height: max(self.maxY, other.maxY) - top)
    }
}
