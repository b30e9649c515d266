package directory

// String spells an operator as people read it between column and value: signs
// alone, words with blanks around them.
func (op Op) String() string {
	switch op {
	case Equal:
		return "="
	case NotEqual:
		return "!="
	case Less:
		return "<"
	case LessEqual:
		return "<="
	case Greater:
		return ">"
	case GreaterEqual:
		return ">="
	case Like:
		return " LIKE "
	case NotLike:
		return " NOT LIKE "
	}
	return " unknown operator "
}
