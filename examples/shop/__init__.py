"""A small shop: amounts of money, carts with discounts, and orders."""
