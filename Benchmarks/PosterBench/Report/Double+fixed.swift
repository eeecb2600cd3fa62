extension Double {
    /// Formats the value with `places` decimal places, rounded: `1.5.fixed(2)` is "1.50".
    func fixed(_ places: Int) -> String {
        guard self.isFinite, self.magnitude < 1e15 else { return "\(self)" }
        let unit = (0..<places).reduce(1) { product, _ in 10 * product }
        let scaled = Int((self.magnitude * Double(unit)).rounded())
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let digits = String(scaled % unit)
        let fraction = String(repeating: "0", count: places - digits.count) + digits
        return "\(sign)\(scaled / unit).\(fraction)"
    }
}
